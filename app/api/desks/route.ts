import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const GET = door(routes.listDesks, async ({ services }) => services.listDesks());

export const POST = door(routes.createDesk, async ({ body, person, services }) => services.createDesk(body, person));
