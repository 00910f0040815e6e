import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const GET = door(routes.readRequest, async ({ params, services }) => services.readRequest(params.id));
