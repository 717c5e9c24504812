import { Size } from 'cdk8s';
import { PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';
import { DiskOptions, DiskSource } from './disk';
import { KUBEVIRT_RULES } from './rules';
import { checkDiskSize, sizeText } from './size-text';
import { DataVolumeFields } from './template-types';
import { Quantity } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { PropertyReport } from '../../app/problems/property-report';
import { ClusterContext } from '../../contracts/cluster-context';

/** What any disk on a volume of the infrastructure cluster can be given. */
export interface DataVolumeOptions extends DiskOptions {
  /**
   * StorageClass in the cluster that runs the machines (`TC-KUBEVIRT-INFRA-CLASS`, `TC-KUBEVIRT-INFRA-DEFAULT-CLASS`).
   *
   * @default - that cluster's default for virtual machines, else its default StorageClass
   */
  readonly storageClass?: string;

  /**
   * Access mode of the volume. Live migration needs `ReadWriteMany`.
   *
   * Rule: `TC-KUBEVIRT-INFRA-VOLUME-FORM`.
   *
   * @default - the one that the StorageClass's StorageProfile recommends
   * (kubevirt/containerized-data-importer doc/storageprofile.md)
   */
  readonly accessMode?: PersistentVolumeAccessMode;

  /**
   * Form of the volume: a block device, or a file system with an image file on it (`TC-KUBEVIRT-INFRA-VOLUME-FORM`).
   *
   * @default - the one that the StorageClass's StorageProfile recommends
   */
  readonly volumeMode?: PersistentVolumeMode;

  /**
   * True if the importer fills the volume through a second claim, a volume populator. With provisioners that bind a claim to
   * another volume than the populated one the disk stays pending with `ClaimMisbound`; `false` fills the volume directly
   * (kubevirt/containerized-data-importer doc/cdi-populators.md; seen with LINSTOR).
   *
   * @default - the importer decides
   */
  readonly usePopulator?: boolean;
}

/** A disk that is a copy of a claim. */
export interface ClonedDiskOptions extends DataVolumeOptions {
  /** Name of the PersistentVolumeClaim to copy. */
  readonly claimName: string;

  /**
   * Namespace of the claim. Another one than the virtual machines' needs a permission to create `datavolumes/source` there
   * (kubevirt/containerized-data-importer doc/clone-datavolume.md).
   *
   * @default - the tenant cluster's namespace; name it where the machines run in an external cluster
   */
  readonly namespace?: string;

  /**
   * Size of the disk, at least that of the claim.
   *
   * @default - the size of the claim; unknown to the autoscaler
   */
  readonly size?: Size;
}

/** A disk that is made from a snapshot. */
export interface SnapshotDiskOptions extends DataVolumeOptions {
  /** Name of the VolumeSnapshot to restore. */
  readonly snapshotName: string;

  /**
   * Namespace of the snapshot. Another one than the virtual machines' needs a permission to create `datavolumes/source` there
   * (kubevirt/containerized-data-importer doc/clone-datavolume.md).
   *
   * @default - the tenant cluster's namespace; name it where the machines run in an external cluster
   */
  readonly namespace?: string;

  /** Size of the disk, at least that of the snapshot: a whole number of MiB (`TC-KUBEVIRT-DISK-SIZE`). */
  readonly size: Size;
}

/** A disk that is described in the importer's own terms. */
export interface CustomDiskOptions extends DiskOptions {
  /**
   * `spec` of a DataVolume (cdi.kubevirt.io/v1beta1) in its own spelling, with one source and either `storage` or `pvc`
   * (`TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC`).
   */
  readonly dataVolumeSpec: { [field: string]: any };

  /**
   * Size of the disk as the autoscaler shall count it; the DataVolume is not changed by it.
   *
   * @default - not known
   */
  readonly size?: Size;
}

/** What tells one kind of DataVolume from another. */
interface DataVolumeKind {
  readonly size?: Size;
  readonly source: (cluster: ClusterContext) => DataVolumeFields['source'];
  readonly check: DiskSource['check'];
}

/** A disk on a DataVolume that the library describes. The `storage` form leaves to the StorageProfile what is not given. */
export function dataVolumeSource(options: DataVolumeOptions, kind: DataVolumeKind): DiskSource {
  const { storageClass, accessMode, volumeMode, usePopulator } = options;
  return {
    options,
    size: kind.size,
    persistent: true,
    accessMode,
    volume: (disk) => ({ dataVolume: { name: disk } }),
    dataVolume: (disk, cluster) => ({
      metadata: {
        name: disk,
        annotations: usePopulator === undefined ? undefined : { 'cdi.kubevirt.io/storage.usePopulator': `${usePopulator}` },
      },
      spec: {
        source: kind.source(cluster),
        storage: {
          accessModes: accessMode && [accessMode],
          volumeMode,
          storageClassName: storageClass,
          resources: kind.size && { requests: { storage: Quantity.fromString(sizeText(kind.size)) } },
        },
      },
    }),
    check: (report, cluster) => {
      kind.check(report, cluster);
      checkDiskSize(report.at('size'), kind.size);
      checkObjectName(report.at('storageClass'), storageClass);
    },
  };
}

/** A copy of a claim. */
export function clonedDisk(options: ClonedDiskOptions): DiskSource {
  return dataVolumeSource(options, {
    size: options.size,
    source: ({ namespace }) => ({ pvc: { name: options.claimName, namespace: options.namespace ?? namespace } }),
    check: (report) => {
      requireObjectName(report.at('claimName'), options.claimName);
      checkNamespace(report.at('namespace'), options.namespace);
    },
  });
}

/** A restored snapshot. */
export function snapshotDisk(options: SnapshotDiskOptions): DiskSource {
  return dataVolumeSource(options, {
    size: options.size,
    source: ({ namespace }) => ({ snapshot: { name: options.snapshotName, namespace: options.namespace ?? namespace } }),
    check: (report) => {
      requireObjectName(report.at('snapshotName'), options.snapshotName);
      checkNamespace(report.at('namespace'), options.namespace);
    },
  });
}

/** A disk in the importer's own terms. */
export function customDisk(options: CustomDiskOptions): DiskSource {
  const spec = options.dataVolumeSpec;
  const claim = spec.storage ?? spec.pvc;
  return {
    options,
    size: options.size,
    persistent: true,
    accessMode: claim?.accessModes?.[0],
    volume: (disk) => ({ dataVolume: { name: disk } }),
    dataVolume: (disk) => ({ metadata: { name: disk }, spec: options.dataVolumeSpec }),
    check: (report) => checkDiskSize(report.at('size'), options.size),
  };
}

/** Checks the name of an object that may be referred to. */
export function checkObjectName(report: PropertyReport, name: string | undefined): void {
  if (name !== undefined) requireObjectName(report, name);
}

/** Checks the name of an object that must be referred to. */
export function requireObjectName(report: PropertyReport, name: string): void {
  report.expect(KUBEVIRT_RULES.objectName, checkDnsSubdomain(name), 'write the name of the object as it is in the cluster');
}

/** Checks the name of a namespace. */
export function checkNamespace(report: PropertyReport, name: string | undefined): void {
  if (name !== undefined) report.expect(KUBEVIRT_RULES.objectName, checkDnsLabel(name), 'write the name of the namespace as it is in the cluster');
}
