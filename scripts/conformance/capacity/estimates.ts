/*
 * Writes pods, a node, and the number of such nodes that capacity says they need, to standard output: questions for the estimator of the cluster
 * autoscaler, which places pods on nodes of one kind.
 *
 * Arguments: a seed, and the number of questions.
 */
import { estimateCases } from './capacity-cases';

const [seed = 'estimate', count = '100'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(estimateCases(seed, Number(count))));
