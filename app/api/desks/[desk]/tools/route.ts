import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";

export const GET = door(routes.deskTools, async ({ params, services }) => ({
  tools: [...(await services.deskTools(params.desk))],
}));
