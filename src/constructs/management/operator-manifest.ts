import * as fs from 'node:fs';
import { ApiObject, Chart, Yaml } from 'cdk8s';
import { ManagementPlan } from './management-plan';
import { statusOf } from '../../manifests/values/file-status';
import { parseImageReference } from '../../manifests/values/image-reference';
import { Problem, Rule } from '../../manifests/values/problem';
import { isReleaseTag } from '../../manifests/values/semantic-version';
import { TypedApiObject } from '../app/synth/typed-api-object';

/** An operator whose release is one file of manifests. */
interface ReleasedOperator {
  /** Name of its Deployment, and of the delivery of its manifests. */
  readonly deployment: string;
  readonly delivery: string;

  /** Kind of the object that configures the operator. */
  readonly kind: string;

  /** Address of the file, without version and file name. */
  readonly releases: string;
  readonly file: string;
}

interface Document {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

/** A pull secret of a pod. */
type PullSecret = NonNullable<ManagementPlan['pullSecrets']>[number];

/** The part of a Deployment that is read here. */
interface DeploymentSpec {
  readonly template?: { readonly spec?: { readonly containers?: { readonly image?: string }[]; readonly imagePullSecrets?: readonly PullSecret[] } };
}

/**
 * Source of the manifests of an operator: KubeVirt and CDI publish a file with each release. Keep a copy with your sources, so that the
 * management cluster depends on no download. Synthesis downloads nothing: if the file is missing, it fails and prints the download
 * command, e.g. `curl --fail --location --create-dirs --output vendor/kubevirt-operator-v1.9.0.yaml
 * https://github.com/kubevirt/kubevirt/releases/download/v1.9.0/kubevirt-operator.yaml` (`TC-MANAGEMENT-OPERATOR-MANIFEST`).
 *
 * @example
 * const cdi = management.CdiInstallation.operator({ operator: management.OperatorManifest.file('vendor/cdi-operator.yaml') });
 */
export class OperatorManifest {
  /**
   * The file of the release, which Flux or Argo CD fetches: the delivered folder contains a `kustomization.yaml` with its address. Each
   * reconciliation needs access to GitHub, and Flux must run without `--no-remote-bases`, which its multi-tenancy lockdown sets. For your
   * own registry or network use `file` (`TC-MANAGEMENT-OPERATOR-MANIFEST`).
   */
  public static release(): OperatorManifest {
    return new OperatorManifest('release');
  }

  /**
   * A local copy of the release file. Its objects are delivered unchanged, except for images that `images` of the management cluster
   * moves, and the pull secrets of its `companyNetwork`, which the operator's Deployment gets. The file must contain the operator's Deployment with an image of the installed version, and the definition of its custom
   * resource (`TC-MANAGEMENT-OPERATOR-MANIFEST`).
   *
   * @param path path of the file on the machine that synthesizes, relative to the working directory. Default:
   *   `vendor/<operator>-<version>.yaml`, e.g. `vendor/kubevirt-operator-v1.9.0.yaml`
   */
  public static file(path?: string): OperatorManifest {
    return new OperatorManifest('file', path);
  }

  /** The operator is already installed; this app only configures it. */
  public static existing(): OperatorManifest {
    return new OperatorManifest('existing');
  }

  private constructor(private readonly kind: 'release' | 'file' | 'existing', private readonly path?: string) {}

  /**
   * Plans the operator.
   *
   * @internal
   */
  public _plan(plan: ManagementPlan, operator: ReleasedOperator, version: string, property: string): void {
    if (this.kind === 'existing') return;
    const manifests = plan.addManifests(operator.delivery);
    if (this.kind === 'release') {
      if (plan.needsAllImages) plan.report(unmovable(property));
      const kustomization = new ApiObject(manifests, 'Kustomization', {
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        metadata: { name: operator.delivery },
        resources: [addressOf(operator, version)],
      });
      // Rules for upgrades read the version from the address.
      plan.record(kustomization, { 'resources[0]': property.replace(/operator$/, 'version') });
      return;
    }
    // An invalid version has no file; another rule reports it.
    if (!isReleaseTag(version)) return;
    const file = this.path ?? `vendor/${operator.delivery}-${version}.yaml`;
    const fix = download(operator, version, file);
    const report = (message: string) => plan.report({ rule: OPERATOR_MANIFEST_RULE, property, message, fix });
    if (!statusOf(file)?.isFile()) {
      report(`there is no file ${file}`);
      return;
    }
    const documents: unknown[] = Yaml.load(fs.realpathSync(file));
    checkDocuments(documents, operator, version).forEach(report);
    documents.filter(isDocument).forEach((document) => addDocument(manifests, withPullSecrets(document, operator, plan.pullSecrets)));
  }
}

function addressOf({ releases, file }: ReleasedOperator, version: string): string {
  return `${releases}/${version}/${file}`;
}

function download(operator: ReleasedOperator, version: string, file: string): string {
  const quoted = /^[\w./@+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `run "curl --fail --location --create-dirs --output ${quoted} ${addressOf(operator, version)}" and keep the file with your sources, `
    + 'or let Flux or Argo CD fetch it: operator: OperatorManifest.release()';
}

function addDocument(manifests: Chart, document: Document): void {
  const { apiVersion, kind, metadata } = document;
  const id = [kind, metadata.namespace, metadata.name].filter((part) => part).join(' ').replaceAll('/', ' ');
  if (!manifests.node.tryFindChild(id)) new TypedApiObject(manifests, id, { apiVersion, kind }, document);
}

/** The operator's Deployment with the pull secrets of the company's network; every other document as it is. */
function withPullSecrets(document: Document, { deployment }: ReleasedOperator, secrets: readonly PullSecret[] = []): Document {
  if (secrets.length === 0 || document.kind !== 'Deployment' || document.metadata.name !== deployment) return document;
  const spec = document.spec as DeploymentSpec | undefined;
  const { imagePullSecrets = [], ...pod } = spec?.template?.spec ?? {};
  const added = secrets.filter(({ name }) => !imagePullSecrets.some((own) => own.name === name));
  return { ...document, spec: { ...spec, template: { ...spec?.template, spec: { ...pod, imagePullSecrets: [...imagePullSecrets, ...added] } } } };
}

const OPERATOR_MANIFEST_RULE: Rule = {
  id: 'TC-MANAGEMENT-OPERATOR-MANIFEST',
  title: 'The manifest of an operator must be kept with the sources, and contain its Deployment in the installed version and the definition of its custom resource.',
};

/** Checks the documents of a file. */
function checkDocuments(documents: readonly unknown[], { deployment, kind }: ReleasedOperator, version: string): string[] {
  const objects = documents.filter(isDocument);
  const names = objects.map((object) => `${object.kind} ${object.metadata.namespace ?? ''} ${object.metadata.name}`);
  const found = objects.find((object) => object.kind === 'Deployment' && object.metadata.name === deployment);
  const images = found ? imagesOf(found.spec) : [];
  return [
    ...(objects.length < documents.length ? ['it has documents that are no Kubernetes objects'] : []),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `it has the object ${name.replace(/ +/g, ' ')} twice`),
    ...(found ? [] : [`it has no Deployment "${deployment}"`]),
    ...(found && !images.some((image) => parseImageReference(image)?.tag === version)
      ? [`its Deployment "${deployment}" has no image of ${version}, but ${images.join(', ') || 'none'}`] : []),
    ...(objects.some((object) => definedKind(object) === kind) ? [] : [`it does not define the kind ${kind}`]),
  ];
}

function unmovable(property: string): Problem {
  return {
    rule: OPERATOR_MANIFEST_RULE,
    property,
    message: 'the library cannot move the images of the release file, or give them digests',
    fix: 'keep a copy of the file with your sources, and set OperatorManifest.file()',
  };
}

function isDocument(document: unknown): document is Document {
  const { apiVersion, kind, metadata } = (document ?? {}) as Partial<Document>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

function definedKind({ kind, spec }: Document): string | undefined {
  return kind === 'CustomResourceDefinition' ? (spec as { names?: { kind?: string } } | undefined)?.names?.kind : undefined;
}

function imagesOf(spec: unknown): string[] {
  const pod = (spec as DeploymentSpec | undefined)?.template?.spec;
  return (pod?.containers ?? []).flatMap(({ image }) => (typeof image === 'string' ? [image] : []));
}
