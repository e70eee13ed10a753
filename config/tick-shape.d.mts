export const kept: object | null;
