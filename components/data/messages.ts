import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "./api-client.ts";

/** A message to a desk; the same `clientId` again is the same message. */
export interface OutgoingMessage {
  desk: string;
  text: string;
  clientId: string;
}

/** Writes to a desk. */
export function useSendMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ desk, text, clientId }: OutgoingMessage) =>
      callRoute("sendMessage", { params: { desk }, body: { text, clientId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["events"] }),
  });
}
