import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const GET = door(routes.listRequests, async ({ query, services }) => services.listRequests(query));
