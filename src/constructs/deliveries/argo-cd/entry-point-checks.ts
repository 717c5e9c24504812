import { checkGitSource } from './argo-cd-checks';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
import { GITOPS_ENTRY_RULE } from '../../contracts/delivery/entry-points';

/** Checks how Argo CD finds what is written. */
export function checkArgoCdEntryPoints(props: ArgoCdEntryPointsProps): Problem[] {
  const { namespace, project } = props;
  const faults = [
    ...checkGitSource(props),
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace that Argo CD is in' },
    { at: 'project', message: project === undefined ? undefined : checkDnsSubdomain(project), fix: 'write the name of the AppProject' },
  ];
  return faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
    rule: GITOPS_ENTRY_RULE, property: `entryPoints.${at}`, message, fix,
  }]));
}
