import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const GET = door(routes.readDesk, async ({ params, services }) => services.readDesk(params.desk));

export const PATCH = door(routes.changeDesk, async ({ params, body, person, services }) =>
  services.changeDesk(params.desk, body, person),
);
