import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";
import { openApiDocument } from "#lib/server/openapi.ts";

export const GET = door(routes.openApi, async ({ services }) => openApiDocument((await services.health()).version));
