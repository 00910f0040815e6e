import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const POST = door(routes.pauseAll, async ({ person, services }) => services.pauseAll(person));
