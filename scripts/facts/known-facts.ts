import { ApiLifecycle, Gate, KubernetesFacts } from './kubernetes-facts';
import { apiLifecycles, flags, kubeletConfiguration } from '../../data/kubernetes-facts.json';
import {
  admissionPlugins, Component, flagFact, flagNames, GateFact, gateFact, gateNames, kubeadmGateFact, kubeadmGateNames, wordAt,
} from '../../src/manifests/values/component-facts';

/** Facts of the committed tables about a minor. The lifecycles of kinds are the same for all minors. */
export function knownFacts(minor: string): KubernetesFacts {
  return {
    flags: Object.fromEntries(Object.keys(flags).map((component) => [component, flagsAt(component as Component, minor)])),
    gates: gatesAt(gateNames(), (name) => gateFact(name, minor)),
    kubeadmGates: gatesAt(kubeadmGateNames(), (name) => kubeadmGateFact(name, minor)),
    admissionPlugins: [...admissionPlugins(minor)].map(([name, on]) => ({ name, on })),
    kubelet: Object.fromEntries(words(kubeletConfiguration).flatMap(([path, ...history]) => {
      const type = wordAt(history, minor);
      return type === undefined ? [] : [[path, type]];
    })),
    apis: words(apiLifecycles).map(([apiVersion, kind, range]): ApiLifecycle => {
      const [introduced, removed] = range.split('-');
      const at = apiVersion.lastIndexOf('/');
      return { group: apiVersion.slice(0, Math.max(at, 0)), version: apiVersion.slice(at + 1), kind, introduced, removed };
    }),
  };
}

function flagsAt(component: Component, minor: string): KubernetesFacts['flags'][string] {
  return flagNames(component, minor).map((name) => flagFact(component, name, minor)!);
}

function gatesAt(names: Iterable<string>, factOf: (name: string) => GateFact | undefined): Record<string, Gate> {
  return Object.fromEntries([...names].flatMap((name) => {
    const fact = factOf(name);
    return fact ? [[name, { stage: fact.stage.toUpperCase(), default: fact.enabledByDefault, locked: fact.locked }]] : [];
  }));
}

function words(table: readonly string[]): string[][] {
  return table.map((line) => line.split(' '));
}
