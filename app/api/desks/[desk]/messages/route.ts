import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.sendMessage, async ({ params, body, person, services }) =>
  services.sendMessage(params.desk, body, person),
);
