import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.dismissRequest, async ({ params, person, services }) =>
  services.dismissRequest(params.id, person),
);
