"""What every format needs: files in and out, the ledger, the doctor, safe XML and JSON."""

__all__ = ["doctor", "features", "json_records", "ledger", "safe_xml", "sink", "source"]
