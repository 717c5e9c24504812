import { expectNoLeaks, USERS } from './option-leaks';

test.each(Object.keys(USERS))('%s: options that are off, or at their default, leave no trace', expectNoLeaks);
