import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.decideRequest, async ({ params, body, person, services }) =>
  services.decideRequest(params.id, body, person),
);
