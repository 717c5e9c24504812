import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { GITOPS_RULES } from './rules';
import { checkGitSource } from '../delivery/argo-cd/argo-cd-checks';
import { checkDnsLabel, checkDnsSubdomain } from '../network/dns';
import { Problem } from '../validation/problem';

/** Checks how Argo CD finds what is written. */
export function checkArgoCdEntryPoints(props: ArgoCdEntryPointsProps): Problem[] {
  const { namespace, project } = props;
  const faults = [
    ...checkGitSource(props),
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace that Argo CD is in' },
    { at: 'project', message: project === undefined ? undefined : checkDnsSubdomain(project), fix: 'write the name of the AppProject' },
  ];
  return faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
    rule: GITOPS_RULES.entry, property: `entryPoints.${at}`, message, fix,
  }]));
}
