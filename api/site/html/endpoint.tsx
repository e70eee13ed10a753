/** @jsxImportSource hono/jsx */
/** @module An operation of the reference with its example next to it, and lists of properties. */
import type { Endpoint, Property, PropertyList } from "../endpoint.ts";
import type { ContentsGroup } from "../page.ts";
import { AnswerView, TabsView, WithCode } from "./operation.tsx";

export function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const { method, path, description, parameters, answers, request, open, answer, leftOut } = endpoint;
  return (
    <div class="endpoint">
      <div class="endpoint-text">
        <p class="endpoint-path">
          <span class={`method method--${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </p>
        {description !== "" && (
          <p>
            <WithCode text={description} />
          </p>
        )}
      </div>
      <div class="endpoint-example">
        <TabsView tabs={request} />
        {open !== null && (
          <p class="endpoint-open">
            <a href={open}>
              Open this request
              <span class="visually-hidden"> of {`${method} ${path}`}</span>
            </a>
          </p>
        )}
        {answer !== null && <AnswerView answer={answer} />}
        {leftOut !== null && (
          <p class="endpoint-left-out">
            <WithCode text={leftOut} />
          </p>
        )}
      </div>
      <div class="endpoint-lists">
        <PropertyLists lists={[...parameters, answers]} />
      </div>
    </div>
  );
}

export function PropertyLists({ lists }: { lists: readonly PropertyList[] }) {
  return (
    <>
      {lists.map(({ title, properties }) => (
        <>
          <h3>{title}</h3>
          <dl class="properties">
            {properties.map((property) => (
              <PropertyView property={property} />
            ))}
          </dl>
        </>
      ))}
    </>
  );
}

function PropertyView({
  property: { name, type, href, isOptional, text, limits = "" },
}: {
  property: Property;
}) {
  return (
    <div>
      <dt>
        {href !== undefined && type === "" ? (
          <a href={href}>
            <code>{name}</code>
          </a>
        ) : (
          <code>{name}</code>
        )}
        {type !== "" && (
          <>
            {" "}
            <span class="property-type">
              {href === undefined ? type : <a href={href}>{type}</a>}
              {isOptional && ", optional"}
            </span>
          </>
        )}
      </dt>
      <dd>
        <WithCode text={text} />
        {limits !== "" && (
          <span class="property-limits">
            {" "}
            <WithCode text={limits} />
          </span>
        )}
      </dd>
    </div>
  );
}

/** The parts of a larger whole; of the current one, its places. */
export function ContentsOf({ groups }: { groups: readonly ContentsGroup[] }) {
  return (
    <ul>
      {groups.map(({ title, path, isCurrent, links }) => (
        <li>
          <a href={path} aria-current={isCurrent ? "page" : undefined}>
            {title}
          </a>
          {links.length > 0 && (
            <ul>
              {links.map(({ text, href, note }) => (
                <li>
                  <a href={href} class={note === undefined ? undefined : `contents-${note}`}>
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
