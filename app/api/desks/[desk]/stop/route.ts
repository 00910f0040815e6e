import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.stopDesk, async ({ params, body, person, services }) =>
  services.stopDesk(params.desk, body, person),
);
