import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { testRules } from '../rules-under-test';

testRules(CLUSTER_API_RULES);
