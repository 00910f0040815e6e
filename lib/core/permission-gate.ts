import type { Store } from "./ports/store.ts";
import { judge, type PolicyAnswer, type PolicyQuestion } from "./policy.ts";

/** A decision of the gate, with the version of the rules that it was made by. */
export interface GateDecision extends PolicyAnswer {
  policyVersion: number;
}

/** Decides allow, hold or deny for a call, by the rules that the store holds. */
export class PermissionGate {
  readonly #store: Pick<Store, "policy">;

  constructor(store: Pick<Store, "policy">) {
    this.#store = store;
  }

  /** Reads the rules anew each time. @throws where they cannot be read. */
  async decide(question: PolicyQuestion): Promise<GateDecision> {
    const { version, rules } = await this.#store.policy();
    return { ...judge(rules, question), policyVersion: version };
  }
}
