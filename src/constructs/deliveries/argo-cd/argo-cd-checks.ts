import { ArgoCdDeliveryProps, ArgoCdManifestSource } from './argo-cd-delivery-props';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { MANIFEST_SOURCE_RULE } from '../../contracts/delivery/delivery';
import { checkPath } from '../../contracts/delivery/manifest-folder';

const GIT_ADDRESS = /^(https:\/\/[^\s/@?#]+\/|ssh:\/\/([\w.-]+@)?[^\s/@?#]+\/|[\w.-]+@[\w.-]+:)[^\s?#]+$/;

/** Rule for names of Argo CD in a delivery. */
const ARGO_CD_NAMES: Rule = {
  id: 'TC-DELIVERY-ARGO-CD',
  title: 'Argo CD\'s namespace and project, and the destination of what it delivers, have names that it accepts.',
  source: 'argoproj/argo-cd docs/operator-manual/declarative-setup.md',
};

/** Checks the properties of a delivery by Argo CD. */
export function checkArgoCdDelivery({ destination, namespace, project, manifestSource }: ArgoCdDeliveryProps): Problem[] {
  const faults = [
    { property: 'destination', message: destination?._fault, fix: 'write it as it is registered with Argo CD' },
    { property: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace that Argo CD is in' },
    { property: 'project', message: project === undefined ? undefined : checkDnsSubdomain(project), fix: 'write the name of the AppProject' },
  ];
  return [
    ...faults.flatMap(({ property, message, fix }) => (message === undefined ? [] : [{
      rule: ARGO_CD_NAMES, property: `delivery.${property}`, message, fix,
    }])),
    ...(manifestSource ? checkSource(manifestSource) : []),
  ];
}

function checkSource(source: ArgoCdManifestSource): Problem[] {
  return checkGitSource(source).flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
    rule: MANIFEST_SOURCE_RULE, property: `delivery.manifestSource.${at}`, message, fix,
  }]));
}

/** Possible faults of a source of manifests; an entry without a message is none. */
export function checkGitSource({ repoUrl, targetRevision, path = '' }: ArgoCdManifestSource): { at: string; message?: string; fix: string }[] {
  return [
    // The address may hold credentials, so it is not shown.
    { at: 'repoUrl', message: GIT_ADDRESS.test(repoUrl) ? undefined : 'it is not the address of a Git repository, or holds credentials', fix: 'write e.g. "https://git.example.com/team/tenants.git"' },
    { at: 'targetRevision', message: /^\S+$/.test(targetRevision) ? undefined : `${JSON.stringify(targetRevision)} is not a revision`, fix: 'write a branch, a tag or a commit' },
    { at: 'path', message: checkPath(path), fix: 'write a path inside the repository, e.g. "dist"' },
  ];
}
