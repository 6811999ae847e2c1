"""The MCP server for agents, over standard streams; written without a framework so that it starts fast."""
