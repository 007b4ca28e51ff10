/** Test files whose tests start processes and wait for them: they take longest, however short their text is. */
export const STARTS_PROCESSES = /\/packages\/acceptance\/|\/embedded\/|\.crash\.test\.|\/new-provider\./
