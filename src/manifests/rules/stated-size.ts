import { MachineSize } from './cluster-facts';
import { ManifestObject } from '../objects/manifest-object';
import { stringAt } from '../values/fields';
import { NANO, parseQuantity } from '../values/quantity';

/**
 * Annotation of a machine template with the size of its machines, where the template does not state it:
 * `cpu=8,memory=32Gi,nvidia.com/gpu=1`.
 */
export const CAPACITY_ANNOTATION = 'cdk8s-cluster-api/machine-capacity';

/** The size that a template states in its annotation; empty if it has none. */
export function statedSize(template: ManifestObject): MachineSize {
  const text = stringAt(template, 'metadata', 'annotations', CAPACITY_ANNOTATION);
  if (text === undefined) return {};
  const amounts = new Map(text.split(',').flatMap((entry): [string, number][] => {
    const [, name, quantity] = /^([^=]+)=(.+)$/.exec(entry.trim()) ?? [];
    const amount = quantity === undefined ? undefined : parseQuantity(quantity);
    return amount === undefined ? [] : [[name, Number(amount) / Number(NANO)]];
  }));
  const gpus = [...amounts].filter(([name]) => name.includes('/')).map(([name, count]) => ({ name, count }));
  const [cpu, memory] = [amounts.get('cpu'), amounts.get('memory')];
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }), ...(gpus.length > 0 && { gpus }) };
}
