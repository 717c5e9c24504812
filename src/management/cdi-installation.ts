import { checkPlacement, ComponentPlacement } from './component-placement';
import { ManagementPlan } from './management-plan';
import { OperatorManifest } from './operator-manifest';
import { pinnedVersion } from './version-matrix';
import { checkObjectName } from './workload-options';
import { Cdi, CdiSpec, CdiSpecImagePullPolicy, CdiSpecUninstallStrategy } from '../../imports/cdi.kubevirt.io';
import { checked } from '../arguments/checked';
import { keepOnPrune } from '../cluster/delivery/marks';

const PROPERTY = 'cdi';
const NAME = 'cdi';
const OPERATOR = {
  delivery: 'cdi-operator',
  deployment: 'cdi-operator',
  kind: 'CDI',
  releases: 'https://github.com/kubevirt/containerized-data-importer/releases/download',
  file: 'cdi-operator.yaml',
};

// The object of the release: cdi-cr.yaml.
const LINUX = { 'kubernetes.io/os': 'linux' };
const FEATURE_GATES = ['HonorWaitForFirstConsumer'];

/** How CDI is installed. */
export interface CdiInstallationOptions {
  /**
   * Version of CDI (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;

  /**
   * Where the operator comes from.
   *
   * @default OperatorManifest.file()
   */
  readonly operator?: OperatorManifest;

  /**
   * StorageClass of the scratch space that an import needs if it converts the image (`TC-MANAGEMENT-NAME`).
   *
   * @default - the class of the volume
   */
  readonly scratchSpaceStorageClass?: string;

  /**
   * Registries from which CDI imports images without verifying TLS, as `host` or `host:port`.
   *
   * @default - none
   */
  readonly insecureRegistries?: string[];

  /**
   * Nodes for CDI's own pods.
   *
   * @default - every Linux node
   */
  readonly infra?: ComponentPlacement;

  /**
   * Nodes for imports, uploads and clones.
   *
   * @default - every Linux node
   */
  readonly workloads?: ComponentPlacement;
}

/** How CDI, the importer of disk images, gets into the management cluster. */
@checked
export class CdiInstallation {
  /**
   * This app installs CDI's operator from the manifests of its release, and configures it with a `CDI` object. CDI cannot be removed while
   * its volumes exist.
   *
   * Source: kubevirt/containerized-data-importer release assets cdi-operator.yaml and cdi-cr.yaml.
   *
   * @param options what differs from the defaults
   */
  public static operator(options: CdiInstallationOptions = {}): CdiInstallation {
    return new CdiInstallation(options);
  }

  /** This app does not install CDI: it is already installed, or machines run elsewhere. */
  public static existing(): CdiInstallation {
    return new CdiInstallation(undefined);
  }

  private constructor(private readonly options: CdiInstallationOptions | undefined) {}

  /**
   * Plans operator and CDI object.
   *
   * @internal
   */
  public _plan(plan: ManagementPlan): Cdi | undefined {
    const { options } = this;
    if (!options) return undefined;
    const version = options.version ?? pinnedVersion('cdi');
    plan.install('cdi', version, `${PROPERTY}.version`);
    plan.report(
      ...checkObjectName(`${PROPERTY}.scratchSpaceStorageClass`, options.scratchSpaceStorageClass),
      ...checkPlacement(`${PROPERTY}.infra`, options.infra),
      ...checkPlacement(`${PROPERTY}.workloads`, options.workloads),
    );
    (options.operator ?? OperatorManifest.file())._plan(plan, OPERATOR, version, `${PROPERTY}.operator`);
    const manifests = plan.addManifests(NAME, [OPERATOR.delivery]);
    return new Cdi(manifests, 'CDI', { metadata: { name: NAME, annotations: keepOnPrune() }, spec: specOf(options) });
  }
}

function specOf({ scratchSpaceStorageClass, insecureRegistries = [], infra = {}, workloads = {} }: CdiInstallationOptions): CdiSpec {
  return {
    config: {
      featureGates: FEATURE_GATES,
      ...(scratchSpaceStorageClass !== undefined && { scratchSpaceStorageClass }),
      ...(insecureRegistries.length > 0 && { insecureRegistries }),
    },
    imagePullPolicy: CdiSpecImagePullPolicy.IF_NOT_PRESENT,
    infra: { ...infra, nodeSelector: { ...LINUX, ...infra.nodeSelector } },
    uninstallStrategy: CdiSpecUninstallStrategy.BLOCK_UNINSTALL_IF_WORKLOADS_EXIST,
    workload: { ...workloads, nodeSelector: { ...LINUX, ...workloads.nodeSelector } },
  };
}
