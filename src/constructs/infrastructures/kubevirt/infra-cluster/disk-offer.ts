import { INFRA_CLUSTER_RULES } from './rules';
import { INFRA_PLACE, lookUpClass } from './storage-offer';
import { PropertyReport } from '../../../app/problems/property-report';
import { InfraClusterCapabilities } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { ClaimPropertySet, InfraStorageClass } from '../../../contracts/capabilities/infra-storage-class';
import { ClusterContext } from '../../../contracts/cluster-context';
import { DiskSource } from '../disk';
import { EvictionStrategy } from '../life-cycle';

const SHARED = 'ReadWriteMany';
const DEFAULT_VOLUME_MODE = 'Filesystem';
const MIGRATING: readonly EvictionStrategy[] = [EvictionStrategy.LIVE_MIGRATE, EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE];

/** What a disk asks of the storage behind it, and where the user says so. */
interface Claim {
  readonly storageClass?: string;
  readonly accessModes: readonly string[];
  readonly volumeMode?: string;
  /** True if the StorageProfile fills in what is not said. */
  readonly profiled: boolean;
  readonly at: { readonly storageClass: PropertyReport; readonly accessModes: PropertyReport };
}

/**
 * Reports what a disk asks for that the cluster that runs the machines does not offer.
 *
 * @param report the disk
 * @param source where its content comes from
 * @param cluster the cluster of the machine
 * @param offered what the cluster that runs the machines offers
 * @param eviction what happens to the machine when its host is drained
 */
export function checkDiskOffer(
  report: PropertyReport, source: DiskSource, cluster: ClusterContext, offered: InfraClusterCapabilities, eviction: EvictionStrategy,
): void {
  const claim = claimOf(report, source, cluster);
  // An empty name requests a volume that was created by hand.
  if (!claim || claim.storageClass === '') return;
  const storageClass = lookUpClass(claim.at.storageClass, claim.storageClass, offered);
  // Without a StorageProfile it is left to Kubernetes which default a claim gets.
  if (!storageClass?.claimPropertySets?.length || (!claim.profiled && claim.storageClass === undefined)) return;
  const forms = formsOf(claim, storageClass.claimPropertySets);
  if (forms.length === 0) {
    claim.at.accessModes.add(INFRA_CLUSTER_RULES.volumeForm, {
      message: `the StorageClass "${storageClass.name}" makes no volumes that are ${[...claim.accessModes, claim.volumeMode].filter((mode) => mode !== undefined).join(' and ')}`,
      accepted: storageClass.claimPropertySets.map(formText).join(', '),
      fix: 'ask for one of these, or leave both modes out',
    });
    return;
  }
  checkMigration(report, claim, storageClass, forms[0], eviction);
}

/** A mode that is asked for by name is looked at without knowing the storage already. */
function checkMigration(
  report: PropertyReport, { accessModes }: Claim, storageClass: InfraStorageClass, form: ClaimPropertySet, eviction: EvictionStrategy,
): void {
  const { name, claimPropertySets = [] } = storageClass;
  if (!MIGRATING.includes(eviction) || accessModes.length > 0 || isShared(form)) return;
  const shared = claimPropertySets.find(isShared);
  report.add(INFRA_CLUSTER_RULES.migration, {
    message: `${eviction} cannot move a machine whose disk is ${form.accessModes.join(' and ')}, as ${INFRA_PLACE} makes it of the StorageClass "${name}"`,
    fix: shared ? `ask for accessMode ${SHARED} and volumeMode ${shared.volumeMode ?? DEFAULT_VOLUME_MODE}`
      : `choose a class that makes ${SHARED} volumes, or leave out evictionStrategy, so that the node is drained and the machine stopped`,
  });
}

function claimOf(report: PropertyReport, { dataVolume, options }: DiskSource, cluster: ClusterContext): Claim | undefined {
  const spec = dataVolume?.('', cluster).spec;
  const fields = spec?.storage ?? spec?.pvc;
  if (!fields) return undefined;
  const own = 'dataVolumeSpec' in options ? report.at('dataVolumeSpec').at(spec?.storage ? 'storage' : 'pvc') : undefined;
  return {
    storageClass: fields.storageClassName,
    accessModes: fields.accessModes ?? [],
    volumeMode: fields.volumeMode,
    profiled: spec?.storage !== undefined,
    at: {
      storageClass: own?.at('storageClassName') ?? report.at('storageClass'),
      accessModes: own?.at('accessModes') ?? report.at(fields.accessModes ? 'accessMode' : 'volumeMode'),
    },
  };
}

/** The forms in which a class can make the volume, in the order of preference. */
function formsOf({ accessModes, volumeMode, profiled }: Claim, sets: readonly ClaimPropertySet[]): ClaimPropertySet[] {
  const wanted = volumeMode ?? (profiled ? undefined : DEFAULT_VOLUME_MODE);
  const offers = (set: ClaimPropertySet) => accessModes.every((mode) => set.accessModes.map(String).includes(mode));
  return sets.filter((set) => offers(set) && (wanted === undefined || modeOf(set) === wanted));
}

function isShared({ accessModes }: ClaimPropertySet): boolean {
  return accessModes.map(String).includes(SHARED);
}

function modeOf({ volumeMode }: ClaimPropertySet): string {
  return volumeMode ?? DEFAULT_VOLUME_MODE;
}

function formText(set: ClaimPropertySet): string {
  return `${set.accessModes.join(' or ')} as ${modeOf(set)}`;
}
