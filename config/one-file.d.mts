/** Loads a module as one file and returns its exports; null where that is impossible. */
export function importAsOneFile<Module>(path: string): Promise<Module | null>;
