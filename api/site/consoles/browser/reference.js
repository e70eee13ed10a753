// Starts Swagger UI.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followTheme();
dark.addEventListener("change", followTheme);

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  layout: "BaseLayout",
  plugins: [forThisPage, mendAccess],
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  supportedSubmitMethods: ["get", "head", "post"],
  syntaxHighlight: { activated: true, theme: "obsidian" },
  validatorUrl: null,
  persistAuthorization: false,
});

/**
 * Changes the description that is drawn. Not by `responseInterceptor`, which also changes what is shown when somebody
 * asks for the description as an operation.
 */
function forThisPage() {
  const prepare = (description) => JSON.stringify(serveFromHere(leaveOpen(JSON.parse(description))));
  return {
    statePlugins: {
      spec: { wrapActions: { updateSpec: (update) => (description) => update(prepare(description)) } },
    },
  };
}

/**
 * The description names the service by its public address. Somebody may read this page by another one, to which alone
 * the page may connect: it is the same service.
 */
function serveFromHere(description) {
  const here = ({ url, ...server }) => ({ ...server, url: location.origin + new URL(url).pathname });
  for (const described of [description, ...operationsOf(description)]) {
    if (described.servers !== undefined) described.servers = described.servers.map(here);
  }
  return description;
}

/** Swagger UI fills in every example: who tries an operation would ask with all filters at once. */
function leaveOpen(description) {
  for (const { parameters = [] } of operationsOf(description)) {
    for (const parameter of parameters) {
      const { required, schema, description: about = "" } = parameter;
      if (required || schema?.example === undefined) continue;
      parameter.description = `${about || (schema.description ?? "")} Example: \`${schema.example}\``.trim();
      delete schema.example;
    }
  }
  return description;
}

function operationsOf({ paths }) {
  return Object.values(paths).flatMap((path) => Object.values(path));
}

/** Where a keyboard or a screen reader would not get on with what Swagger UI draws. */
function mendAccess({ React }) {
  const draw = React.createElement;
  // The page has its `main`; that of the library's layout would be a second one.
  React.createElement = (type, ...rest) => draw(type === "main" ? "div" : type, ...rest);
  /** A link within the button that opens an operation is no link: the button sets the address. */
  const DeepLink = ({ text }) => draw("span", null, text);
  /** With a name. */
  const Servers = ({ servers, currentServer, setSelectedServer }) => {
    const first = servers.first()?.get("url");
    const isThere = servers.some((server) => server.get("url") === currentServer);
    React.useEffect(() => {
      if (!isThere) setSelectedServer(first);
    }, [isThere, first, setSelectedServer]);
    const options = servers.valueSeq().map((server) => {
      const url = server.get("url");
      return draw("option", { key: url, value: url }, `${url} – ${server.get("description")}`);
    });
    const choose = ({ target }) => setSelectedServer(target.value);
    const select = { "aria-label": "Server", value: currentServer, onChange: choose };
    return draw("div", { className: "servers" }, draw("select", select, options.toArray()));
  };
  /** A heading above those of the tags. */
  const withHeading = (Operations) => (props) =>
    draw(React.Fragment, null, draw("h2", null, "Operations"), draw(Operations, props));
  /** What scrolls can be reached by keyboard. */
  const inScroller = (Code) => (props) =>
    draw("div", { className: "code", role: "group", "aria-label": "Code", tabIndex: 0 }, draw(Code, props));
  const withName = (TextArea) => (props) => draw(TextArea, { "aria-label": "Body", ...props });
  const labelled = (Select) => (props) =>
    draw("label", null, draw("span", { className: "unseen" }, "Value"), draw(Select, props));
  /** Parts of the page that somebody can go to. */
  const within = (tag, label) => (Part) => (props) => draw(tag, { "aria-label": label }, draw(Part, props));
  return {
    components: { DeepLink, Servers },
    wrapComponents: {
      operations: withHeading,
      SyntaxHighlighter: inScroller,
      TextArea: withName,
      Select: labelled,
      InfoContainer: within("section", "About the interface"),
      ServersContainer: within("section", "Server"),
      FilterContainer: within("search", "Operations"),
    },
  };
}
