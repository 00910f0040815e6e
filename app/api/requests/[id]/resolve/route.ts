import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.resolveRequest, async ({ params, body, person, services }) =>
  services.resolveRequest(params.id, body, person),
);
