import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.pauseDesk, async ({ params, person, services }) =>
  services.pauseDesk(params.desk, person),
);
