import { checkGitSource } from './argo-cd-checks';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
import { GITOPS_ENTRY_RULE } from '../../contracts/delivery/entry-points';

/** Checks how Argo CD finds what is written. */
export function checkArgoCdEntryPoints(props: ArgoCdEntryPointsProps): Problem[] {
  const { namespace, project, windowProject } = props;
  const faults = [
    ...checkGitSource(props),
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace that Argo CD is in' },
    { at: 'project', message: project === undefined ? undefined : checkDnsSubdomain(project), fix: 'write the name of the AppProject' },
    {
      at: 'windowProject',
      message: windowProject === undefined ? undefined
        : windowProject === (project ?? 'default') ? `${JSON.stringify(windowProject)} is the project of the other Applications` : checkDnsSubdomain(windowProject),
      fix: 'write the name of an AppProject that does not exist yet',
    },
  ];
  return faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
    rule: GITOPS_ENTRY_RULE, property: `entryPoints.${at}`, message, fix,
  }]));
}
