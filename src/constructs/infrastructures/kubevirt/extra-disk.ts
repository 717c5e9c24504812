import { Size } from 'cdk8s';
import {
  checkDiskSize, clonedDisk, ClonedDiskOptions, customDisk, CustomDiskOptions, DataVolumeOptions, dataVolumeSource, DiskOptions, DiskSource,
  renderDisk, RenderedDisk, sizeText, snapshotDisk, SnapshotDiskOptions,
} from './disk';
import { Quantity } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';

/** Length of a virtio serial number (torvalds/linux include/uapi/linux/virtio_blk.h, `VIRTIO_BLK_ID_BYTES`). */
const SERIAL_MAX_LENGTH = 20;

/** An empty disk that outlives restarts. */
export interface BlankDiskOptions extends DataVolumeOptions {
  /**
   * Name of the disk: a DNS label of at most 20 characters, once per machine and not `root`.
   *
   * Rules: `TC-KUBEVIRT-DISK-NAME`, `TC-TRAP-KUBEVIRT-DISKS`.
   */
  readonly name: string;

  /** Size of the disk: a whole number of MiB (`TC-KUBEVIRT-DISK-SIZE`). */
  readonly size: Size;
}

/** An empty disk that is lost when the virtual machine stops. */
export interface EphemeralDiskOptions extends DiskOptions {
  /**
   * Name of the disk: a DNS label of at most 20 characters, once per machine and not `root`.
   *
   * Rules: `TC-KUBEVIRT-DISK-NAME`, `TC-TRAP-KUBEVIRT-DISKS`.
   */
  readonly name: string;

  /** Size of the disk: a whole number of MiB (`TC-KUBEVIRT-DISK-SIZE`). */
  readonly size: Size;
}

/** A further disk that is a copy of a claim. */
export interface ExtraClonedDiskOptions extends ClonedDiskOptions {
  /**
   * Name of the disk: a DNS label of at most 20 characters, once per machine and not `root`.
   *
   * Rules: `TC-KUBEVIRT-DISK-NAME`, `TC-TRAP-KUBEVIRT-DISKS`.
   */
  readonly name: string;
}

/** A further disk that is made from a snapshot. */
export interface ExtraSnapshotDiskOptions extends SnapshotDiskOptions {
  /**
   * Name of the disk: a DNS label of at most 20 characters, once per machine and not `root`.
   *
   * Rules: `TC-KUBEVIRT-DISK-NAME`, `TC-TRAP-KUBEVIRT-DISKS`.
   */
  readonly name: string;
}

/** A further disk in the importer's own terms. */
export interface ExtraCustomDiskOptions extends CustomDiskOptions {
  /**
   * Name of the disk: a DNS label of at most 20 characters, once per machine and not `root`.
   *
   * Rules: `TC-KUBEVIRT-DISK-NAME`, `TC-TRAP-KUBEVIRT-DISKS`.
   */
  readonly name: string;
}

/**
 * A disk beside the one that a machine boots from. The guest finds it at `/dev/disk/by-id/virtio-<name>`; partitioning, formatting
 * and mounting it is up to the bootstrap.
 *
 * @example
 * const disk = ExtraDisk.blank({ name: 'containerd', size: Size.gibibytes(100), storageClass: 'fast' });
 */
export class ExtraDisk {
  /**
   * An empty volume.
   *
   * @param options name, size and volume
   */
  public static blank(options: BlankDiskOptions): ExtraDisk {
    return new ExtraDisk(options.name, dataVolumeSource(options, { size: options.size, source: () => ({ blank: {} }), check: () => undefined }));
  }

  /**
   * An empty disk in the ephemeral storage of the virtual machine's pod. It is lost when the virtual machine stops: no place for what
   * a node must keep, such as the kubelet's certificates.
   *
   * @param options name and size
   */
  public static ephemeral(options: EphemeralDiskOptions): ExtraDisk {
    return new ExtraDisk(options.name, {
      options,
      size: options.size,
      persistent: false,
      volume: () => ({ emptyDisk: { capacity: Quantity.fromString(sizeText(options.size)) } }),
      check: (report) => checkDiskSize(report.at('size'), options.size),
    });
  }

  /**
   * A volume that is a copy of a claim.
   *
   * @param options name, claim and volume
   */
  public static clonePvc(options: ExtraClonedDiskOptions): ExtraDisk {
    return new ExtraDisk(options.name, clonedDisk(options));
  }

  /**
   * A volume that is made from a snapshot.
   *
   * @param options name, snapshot and volume
   */
  public static snapshot(options: ExtraSnapshotDiskOptions): ExtraDisk {
    return new ExtraDisk(options.name, snapshotDisk(options));
  }

  /**
   * A volume in the importer's own terms.
   *
   * @param options name and DataVolume
   */
  public static of(options: ExtraCustomDiskOptions): ExtraDisk {
    return new ExtraDisk(options.name, customDisk(options));
  }

  /** @internal */
  public readonly _source: DiskSource;

  private constructor(
    /** Name of the disk. */
    public readonly name: string,
    source: DiskSource,
  ) {
    this._source = source;
  }

  /** @internal */
  public _render(cluster: ClusterContext): RenderedDisk {
    return renderDisk(this.name, this._source, cluster, this.name);
  }
}

const DISK_NAME_RULE: Rule = {
  id: 'TC-KUBEVIRT-DISK-NAME',
  title: 'Names of extra disks must be DNS labels of at most 20 characters, the length of a virtio serial number.',
  source: 'kubevirt/kubevirt pkg/storage/admitters/disks.go, torvalds/linux include/uapi/linux/virtio_blk.h',
};

/** Checks the further disks of a machine. */
export function checkExtraDisks(report: PropertyReport, disks: readonly ExtraDisk[], cluster: ClusterContext): void {
  disks.forEach((disk, index) => {
    const item = report.item(index);
    item.at('name').expect(DISK_NAME_RULE, checkDnsLabel(disk.name, SERIAL_MAX_LENGTH), 'choose a short name, such as "data"');
    disk._source.check(item, cluster);
  });
}
