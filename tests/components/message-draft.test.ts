import { expect, test } from "vitest";
import { outgoing } from "#components/messages/message-draft.ts";

const sent = { clientId: "first", desk: "majors", text: "Trim it." };
const newId = () => "second";

test("the same text to the same desk goes under the same id, anything else under a new one", () => {
  expect(outgoing({ desk: "majors", text: "Trim it.", sent }, "majors", newId)).toBe(sent);
  expect(outgoing({ desk: "majors", text: "Trim it!", sent }, "majors", newId).clientId).toBe("second");
  expect(outgoing({ desk: "crypto", text: "Trim it.", sent }, "crypto", newId).clientId).toBe("second");
  expect(outgoing({ desk: "majors", text: "Trim it." }, "majors", newId).clientId).toBe("second");
});
