import { KUBERNETES_RULES } from '../../../../src/validation/manifests/kubernetes/kubernetes-rules';
import { testRules } from '../rules-under-test';

testRules(KUBERNETES_RULES);
