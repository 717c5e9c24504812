export const APPLICATION = 'argoproj.io/Application';
export const APPLICATION_SET = 'argoproj.io/ApplicationSet';
