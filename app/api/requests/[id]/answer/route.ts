import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.answerRequest, async ({ params, body, person, services }) =>
  services.answerRequest(params.id, body, person),
);
