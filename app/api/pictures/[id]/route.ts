import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";
import { pictureResponse } from "#lib/server/picture-response.ts";

export const GET = door(routes.readPicture, async ({ params, services }) =>
  pictureResponse(await services.readPicture(params.id)),
);
