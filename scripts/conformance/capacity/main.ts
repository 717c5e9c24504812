/*
 * Writes nodes and pods, and the verdict on them, to standard output: cases for the real scheduler.
 *
 * Arguments: a seed, and the number of cases.
 */
import { capacityCases } from './capacity-cases';

const [seed = 'capacity', count = '40'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(capacityCases(seed, Number(count))));
