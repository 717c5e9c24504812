import { RunningPod } from '../../../src/manifests/capacity/host';

/** Host, labels and CPUs of pods. */
export type RunningPods = readonly (readonly [host: string, labels: Readonly<Record<string, string>>, cpu: number])[];

/** Pods of the namespace "tenants" that run on hosts. */
export function runningPods(running: RunningPods): RunningPod[] {
  return running.map(([host, labels, cpu], index) => ({ namespace: 'tenants', name: `pod-${index}`, host, labels, requests: new Map([['cpu', cpu * 1000], ['pods', 1]]) }));
}
