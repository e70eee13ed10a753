/** @jsxImportSource hono/jsx */
/** @module Patterns as SVG: in the stylesheet's colours on pages, in those of the light theme for pictures. */
import { coverColours } from "./colours.ts";
import { HEIGHT, type Pattern, patternOf, type Shape, WIDTH } from "./pattern.ts";
import type { Cover } from "./pictures.ts";

const VIEW_BOX = `0 0 ${WIDTH} ${HEIGHT}`;
const FIT = "xMidYMid slice";

/** The operator's picture or the pattern. Decoration: the title is next to it. */
export function CoverPicture({ cover }: { cover: Cover }) {
  if (cover.kind === "pattern") return <CoverPattern id={cover.id} />;
  const { width, height } = cover.image;
  return (
    <img class="cover" src={cover.src} alt="" width={width} height={height} loading="lazy" decoding="async" />
  );
}

/** Decoration for the eye alone, which fills any frame. @param id public id of a raise or business */
export function CoverPattern({ id }: { id: string }) {
  const { tone, shapes } = patternOf(id);
  return (
    <svg class={`cover cover-t${tone}`} viewBox={VIEW_BOX} preserveAspectRatio={FIT} aria-hidden="true">
      {shapes.map((shape) =>
        "path" in shape ? (
          <path class={`cover-${shape.ink}`} d={shape.path} />
        ) : (
          <circle class={`cover-${shape.ink}`} cx={shape.x} cy={shape.y} r={shape.r} />
        ),
      )}
    </svg>
  );
}

/** The same as a standalone SVG, with literal colours. @param accent `#rrggbb` @param size in pixels */
export function patternSvg(id: string, accent: string, size = { width: WIDTH, height: HEIGHT }): string {
  const pattern = patternOf(id);
  const { width, height } = size;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${VIEW_BOX}" preserveAspectRatio="${FIT}">${literal(pattern, accent)}</svg>`;
}

function literal({ tone, shapes }: Pattern, accent: string): string {
  const colours = coverColours(accent).light[tone];
  const drawn = (shape: Shape) => {
    const fill = `fill="${colours[shape.ink]}"`;
    return "path" in shape
      ? `<path ${fill} d="${shape.path}"/>`
      : `<circle ${fill} cx="${shape.x}" cy="${shape.y}" r="${shape.r}"/>`;
  };
  return `<path fill="${colours[0]}" d="M0 0H${WIDTH}V${HEIGHT}H0Z"/>${shapes.map(drawn).join("")}`;
}
