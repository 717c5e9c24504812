import { Construct } from 'constructs';
import { checkObjectName, checkPlacement, ComponentPlacement } from './component-options';
import { ManagementPlan } from './management-plan';
import { OperatorManifest } from './operator-manifest';
import { Cdi, CdiSpec, CdiSpecConfigImportProxy, CdiSpecImagePullPolicy, CdiSpecUninstallStrategy } from '../../../imports/cdi.kubevirt.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { pemFiles } from '../../manifests/values/pem';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { CompanyNetwork } from '../contracts/company-network/company-network';

const PROPERTY = 'cdi';
const NAME = 'cdi';

/** Name of the ConfigMap with the certificate authorities of the company's network. */
const TRUSTED_CAS = 'trusted-cas';

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

/** Options of the installation of CDI. */
export interface CdiInstallationOptions {
  /**
   * Version of CDI (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;

  /**
   * Source of the manifests of the operator.
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

/**
 * Installation of CDI, the importer of disk images, in the management cluster.
 *
 * @example
 * const cdi = management.CdiInstallation.operator({ scratchSpaceStorageClass: 'replicated' });
 */
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
   * @param ranges pods and Services of the management cluster
   *
   * @internal
   */
  public _plan(plan: ManagementPlan, ranges: readonly string[]): Cdi | undefined {
    const { options } = this;
    if (!options) return undefined;
    const version = options.version ?? plan.pinned('cdi');
    plan.install('cdi', version, `${PROPERTY}.version`);
    plan.report(
      ...checkObjectName(`${PROPERTY}.scratchSpaceStorageClass`, options.scratchSpaceStorageClass),
      ...checkPlacement(`${PROPERTY}.infra`, options.infra),
      ...checkPlacement(`${PROPERTY}.workloads`, options.workloads),
    );
    (options.operator ?? OperatorManifest.file())._plan(plan, OPERATOR, version, `${PROPERTY}.operator`);
    const manifests = plan.addManifests(NAME, [OPERATOR.delivery]);
    if (plan.companyNetwork?.httpProxy) addTrustedCas(manifests, plan.companyNetwork);
    return new Cdi(manifests, 'CDI', { metadata: { name: NAME, annotations: keepOnPrune() }, spec: specOf(options, plan, ranges) });
  }
}

function specOf(options: CdiInstallationOptions, plan: ManagementPlan, ranges: readonly string[]): CdiSpec {
  const { scratchSpaceStorageClass, insecureRegistries = [], infra = {}, workloads = {} } = options;
  const { pullSecrets } = plan;
  const importProxy = proxyOf(plan, ranges);
  return {
    config: {
      featureGates: FEATURE_GATES,
      ...(scratchSpaceStorageClass !== undefined && { scratchSpaceStorageClass }),
      ...(pullSecrets && { imagePullSecrets: [...pullSecrets] }),
      ...(importProxy && { importProxy }),
      ...(insecureRegistries.length > 0 && { insecureRegistries }),
    },
    imagePullPolicy: CdiSpecImagePullPolicy.IF_NOT_PRESENT,
    infra: { ...infra, nodeSelector: { ...LINUX, ...infra.nodeSelector } },
    uninstallStrategy: CdiSpecUninstallStrategy.BLOCK_UNINSTALL_IF_WORKLOADS_EXIST,
    workload: { ...workloads, nodeSelector: { ...LINUX, ...workloads.nodeSelector } },
  };
}

/**
 * The proxy of the company's network for imports. Pods, Services and the importer itself are excepted. CDI gives the list to importers as
 * `no_proxy`, with names and ranges (kubevirt/containerized-data-importer doc/cdi-config.md).
 */
function proxyOf({ companyNetwork }: ManagementPlan, ranges: readonly string[]): CdiSpecConfigImportProxy | undefined {
  if (!companyNetwork?.httpProxy) return undefined;
  const { httpProxy, httpsProxy, noProxy = [] } = companyNetwork.httpProxy;
  return {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    noProxy: [...new Set(['localhost', '127.0.0.1', '::1', '.svc', '.cluster.local', ...ranges, ...noProxy])].join(','),
    ...(companyNetwork.trustedCas.length > 0 && { trustedCaProxy: TRUSTED_CAS }),
  };
}

/** CDI copies the ConfigMap for each import, and the importer reads every key. */
function addTrustedCas(manifests: Construct, { trustedCas }: CompanyNetwork): void {
  if (trustedCas.length === 0) return;
  new TypedApiObject(manifests, 'TrustedCas', { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: TRUSTED_CAS, namespace: NAME, annotations: keepOnPrune() },
    data: pemFiles(trustedCas),
  });
}
