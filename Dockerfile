# The service as an image: `docker build -t raisebook:0.1.0 .`, then docs/operations/installing.md.
#
# The tag is the Node that the tests run on. For builds that never change, pin it by the digest that
# `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints: a tag can be moved.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/raisebook

# Not --omit=optional, which leaves out the binaries of esbuild and of the renderer of pictures.
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY config/node/package.json config/node/
RUN npm ci --omit=dev

# What the package has, and nothing else.
COPY . /source
RUN npm pack /source --ignore-scripts --pack-destination /tmp && tar -xzf /tmp/raisebook-*.tgz --strip-components=1

# A bundle knows its sources by their times, and layers keep whole seconds only. Nothing is written when the service runs.
RUN find . -exec touch --no-dereference --date=1985-10-26T08:15:00Z {} + && node operate/make-bundles.mjs

FROM node:24.21.0-bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Raisebook" \
      org.opencontainers.image.description="The open book of a fundraising marketplace" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# /data is for the embedded database, without DATABASE_URL: mount a volume there. The other folder is for MARKET_FILES, if that is set, and
# with DATABASE_URL for TMPDIR: long lists need a disk. /tmp must be writable too, a tmpfs will do.
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data /var/cache/raisebook
COPY --from=build /opt/raisebook /opt/raisebook
WORKDIR /opt/raisebook
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    RAISEBOOK_DATA_DIR=/data
USER 1000:1000
EXPOSE 42069

# The indexer commits its block, and readers finish their answers.
STOPSIGNAL SIGINT

# A client that is limited is answered, too.
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 42069}/v1/health`).then(({ status }) => process.exit(status < 500 ? 0 : 1), () => process.exit(1))"]

# Becomes the process of the command: signals arrive there.
ENTRYPOINT ["node", "operate/cli/raisebook.mjs"]
CMD ["start"]
