import { IsolationPort, PeerChoice } from '../../contracts/capabilities/isolation-peer';

/** Labels that tell pods. */
export type PodLabels = { readonly [key: string]: string };

/** Traffic that a policy lets through. */
export interface TrafficRule {
  /** The other side; everybody if absent. */
  readonly peers?: readonly PeerChoice[];
  /** Ports that it goes to; all if absent. */
  readonly ports?: readonly IsolationPort[];
}

/** What a network policy says, whoever enforces it. What no rule lets through is dropped, in both directions. */
export interface Policy {
  /** What the policy is for; its object is named `<cluster>-<purpose>`. */
  readonly purpose: string;
  /** The pods that it holds for; all pods of the namespace if empty. */
  readonly pods: PodLabels;
  /** What may come in. */
  readonly ingress: readonly TrafficRule[];
  /** What may go out. */
  readonly egress: readonly TrafficRule[];
}

/** Everything is let through. */
export const EVERYTHING: readonly TrafficRule[] = [{}];
