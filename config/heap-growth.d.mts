export const growAsUsual: () => void;
export const growFreely: () => void;
