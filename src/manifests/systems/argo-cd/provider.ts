import { applicationEffects, applicationSetEffects } from './application-effects';
import { APPLICATION, APPLICATION_SET } from './argo-cd-kinds';
import { DELIVERIES, valuesElsewhere } from './deliveries';
import { IMAGES } from './images';
import { madeApplications } from './made-applications';
import { APPLICATION_CHANGES } from './rules/application-changes';
import { ARGO_CD_MANIFEST_RULES } from './rules/argo-cd-rules';
import { REPLACED_OBJECTS } from './rules/replaced-objects';
import { Provider } from '../../rules/provider';

/** Argo CD. */
export const ARGO_CD: Provider = {
  name: 'argo-cd',
  title: 'Argo CD',
  kinds: [
    ...[APPLICATION, APPLICATION_SET, 'argoproj.io/AppProject'].map((kind) => ({ kind, besideController: true })),
    { kind: 'argoproj.io/ConfigManagementPlugin', isFile: true },
  ],
  namespaces: { argocd: 'Argo CD runs there' },
  rules: [...ARGO_CD_MANIFEST_RULES, ...REPLACED_OBJECTS],
  changes: APPLICATION_CHANGES,
  deliveries: DELIVERIES,
  makes: { [APPLICATION_SET]: madeApplications },
  effects: { [APPLICATION]: applicationEffects, [APPLICATION_SET]: applicationSetEffects },
  elsewhere: { [APPLICATION]: valuesElsewhere, [APPLICATION_SET]: () => ['makes Applications from a template, which are not looked at'] },
  images: IMAGES,
};
