import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.checkRequest, async ({ params, body, services }) =>
  services.checkRequest(params.id, body.arguments),
);
