/** For the modules of Ponder that are loaded from now on. */
export function correctPonder(): void;
