import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { answerBody, decisionBody, resolveBody } from "#lib/protocol/bodies.ts";
import { type RequestReply, requestReplySchema } from "#lib/protocol/views.ts";
import { callRoute } from "./api-client.ts";
import { RequestFailed } from "./request-failed.ts";
import { requestKey, takeRequest, waitingKey } from "./waiting.ts";

function useRequestMutation<Input>(id: string, work: (input: Input) => Promise<RequestReply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: (request) => takeRequest(client, request),
    onError: (error) => {
      // A decision that came too late brings the one that won.
      const won = requestReplySchema.safeParse(error instanceof RequestFailed ? error.details.request : undefined);
      if (won.success) return takeRequest(client, won.data);
      return client.invalidateQueries({ queryKey: requestKey(id) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: waitingKey }),
  });
}

/** Approves or denies a hold. */
export function useDecide(id: string) {
  return useRequestMutation(id, (body: z.input<typeof decisionBody>) =>
    callRoute("decideRequest", { params: { id }, body }),
  );
}

/** Answers a question. */
export function useAnswer(id: string) {
  return useRequestMutation(id, (body: z.input<typeof answerBody>) =>
    callRoute("answerRequest", { params: { id }, body }),
  );
}

/** Closes a question without an answer. */
export function useDismiss(id: string) {
  return useRequestMutation(id, () => callRoute("dismissRequest", { params: { id }, body: {} }));
}

/** Says what became of an uncertain call. */
export function useResolve(id: string) {
  return useRequestMutation(id, (body: z.input<typeof resolveBody>) =>
    callRoute("resolveRequest", { params: { id }, body }),
  );
}
