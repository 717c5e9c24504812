import { ManifestRule } from './manifest-rule';
import { fieldAt, isFields, stringAt } from '../values/fields';
import { nearestName } from '../values/nearest-name';

/** The kind of classes of storage. */
export const STORAGE_CLASS = 'storage.k8s.io/StorageClass';

/** Prefix of parameters that the provisioner beside a driver reads itself. */
export const PROVISIONER_PREFIX = 'csi.storage.k8s.io/';

/** Parameters that the provisioner hands to drivers of older releases, too (kubernetes-csi/external-provisioner pkg/controller/controller.go). */
const OLD_KEYS: readonly string[] = ['csiprovisionersecretname', 'csiprovisionersecretnamespace'];

/** The parameters of classes that a driver reads. */
export interface StorageDriver extends Pick<ManifestRule, 'id' | 'source'> {
  /** Name of the driver, as classes have it. */
  readonly provisioner: string;

  /**
   * True if it makes no volume of files for several nodes.
   *
   * @default false
   */
  readonly isForOneNode?: boolean;

  /** Names of the parameters, with spaces between them, as its documentation writes them. The driver takes them in any case. */
  readonly parameters: readonly string[];

  /**
   * Beginnings of further names.
   *
   * @default - none
   */
  readonly prefixes?: readonly string[];
}

/** The rule that a class has no parameters that its driver refuses. */
export function storageParameters({ id, source, provisioner, parameters, prefixes = [] }: StorageDriver): ManifestRule {
  const names = new Map(parameters.flatMap((some) => some.split(' ')).map((name) => [name.toLowerCase(), name]));
  const text = (parameter: string): string => `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: ${provisioner}\n${parameter}`;
  const known = new Set([...names.keys(), ...OLD_KEYS]);
  const isKnown = (name: string): boolean => (
    known.has(name.toLowerCase()) || [PROVISIONER_PREFIX, ...prefixes].some((prefix) => name.startsWith(prefix)));
  return {
    id,
    title: `Parameters of a StorageClass of ${provisioner} must be ones of the driver: it makes no volumes otherwise.`,
    source,
    kinds: [STORAGE_CLASS],
    trap: true,
    example: { failing: text('parameters: {unknownParameter: "1"}\n'), corrected: text('') },
    check: (object) => {
      const given = stringAt(object, 'provisioner') === provisioner ? fieldAt(object, 'parameters') : undefined;
      return Object.keys(isFields(given) ? given : {}).filter((name) => !isKnown(name)).map((name) => {
        const near = nearestName(name, names.values());
        return {
          path: ['parameters', name],
          message: `${provisioner} refuses the parameter ${JSON.stringify(name)}, and makes no volumes of this class`,
          fix: near === undefined ? 'remove it' : `write ${near}, or remove it`,
        };
      });
    },
  };
}
